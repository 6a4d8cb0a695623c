# write_sql.py - write_sql.py ROWS: a script for SQLite's shell, always the same for the same ROWS.
# Rows are inserted by statements of their own, so that the parser has work too.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import random
import sys

rows = int(sys.argv[1])
source = random.Random(5)


def pick(limit):
    """random() is the one source that Python promises to keep."""
    return int(source.random() * limit)


print("create table item(id integer primary key, price real, name text);")
print("create table sale(item integer, day integer, amount integer);")
print("begin;")
for number in range(rows):
    print(f"insert into item values({number}, {pick(9000)}.25,"
          f" 'name {pick(rows)} of {pick(50)}');")
    for _ in range(2):
        print(f"insert into sale values({pick(rows)}, {pick(365)},"
              f" {pick(20)});")
print("""commit;
create index sale_item on sale(item);
create index item_name on item(name);
select day, sum(amount * price) from sale join item on item.id = sale.item
  group by day order by 2 desc limit 7;
select count(*) from item a join item b on a.name = b.name where a.id < b.id;
select substr(name, 6, 2) start, avg(price), min(name) from item
  group by start order by start limit 9;
update item set price = price * 2, name = upper(name) where id % 4 = 1;
delete from sale where day between 100 and 130;
select count(distinct name), max(length(name)) from item;
select sum(amount) from sale where item in
  (select id from item where price > 5000);
select length(group_concat(name, ';')) from item where id % 3 = 0;""")
