-- work.lua SIZE - tables, closures, strings and sorting in Lua.
-- Prints one line of sums that depend on all of it.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
local size = tonumber(arg[1])
local seed = 1
local function random(limit)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed // 65536 % limit
end

local records = {}
for i = 1, size do
  records[i] = { id = i, key = random(30000), name = "item" .. i % 997 }
end
table.sort(records, function(a, b)
  if a.key ~= b.key then return a.key < b.key end
  return a.id < b.id
end)

local groups = {}
for position, record in ipairs(records) do
  local group = groups[record.name]
  if not group then
    group = { sum = 0, positions = {} }
    groups[record.name] = group
  end
  group.sum = group.sum + record.key
  group.positions[#group.positions + 1] = position
end

local function counter(step)
  local value = 0
  return function()
    value = value + step
    return value
  end
end
local counted = 0
for i = 1, size // 4 do
  local count = counter(i % 5)
  count()
  counted = counted + count()
end

local text = {}
for i = 1, size // 2 do
  text[#text + 1] = string.format("%d:%s", i, string.rep("ab", i % 9))
end
local joined = table.concat(text, ",")
local letters = 0
for part in joined:gmatch("%d+:(%a*)") do
  letters = letters + #part:upper():gsub("A", "cd")
end

local total = 0
for _, group in pairs(groups) do
  total = total + group.sum + #group.positions
end
print(total, counted, letters, #joined, records[size // 2].id)
