-- work.sql - inserts, joins, groups, sorts, indexes, updates, deletes, views, triggers and strings.
-- The rows come from a recursive query, so that they are the same always.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
create table a(id integer primary key, k integer, name text, v real);
create table b(id integer primary key, aid integer, tag text);
create table log(what text, n integer);
create trigger logged after update on a when new.k % 50 = 0
  begin insert into log values('updated ' || new.name, new.id); end;
begin;
with recursive c(x) as (select 0 union all select x + 1 from c where x < 3000)
  insert into a select x, x * 7919 % 3001, 'name' || (x * 31 % 1000), x % 100 + 0.5 from c;
with recursive c(x) as (select 0 union all select x + 1 from c where x < 1500)
  insert into b select x, x * 104729 % 3001, 'tag' || (x % 50) from c;
commit;
create index ak on a(k);
create index baid on b(aid);
create view joined as select b.tag, a.v, a.name from a join b on b.aid = a.id;
select tag, count(*), sum(v) from joined group by tag order by 3 desc, 1 limit 5;
select count(*) from a x join a y on x.k = y.id where y.v > 50;
select substr(name, 1, 6) p, round(avg(v), 3), max(name) from a group by p order by 2, 1 limit 5;
update a set v = v + 1, name = name || 'x' where k % 3 = 0;
delete from b where aid % 7 = 0;
select count(*), sum(n) from log;
select name, row_number() over (partition by k % 10 order by name, id) from a order by id desc limit 5;
select json_group_array(tag) from (select distinct tag from b order by tag limit 5);
select hex(zeroblob(8)), length(replace(hex(zeroblob(20000)), '00', 'abc'));
select printf('%08.3f %s', sum(v), group_concat(id)) from (select * from a order by id limit 20);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 10000) select sum(x) from c;
pragma integrity_check;
vacuum;
select count(distinct name), total(v) from a;
