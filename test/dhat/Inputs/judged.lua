-- judged.lua - tables, strings, closures, coroutines and errors, a little of each.
-- Prints what it worked out, so that both runs can be compared.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
local function tree(d)
  if d == 0 then return {} end
  return {tree(d - 1), tree(d - 1)}
end
local function count(t)
  return t[1] and 1 + count(t[1]) + count(t[2]) or 1
end
print(count(tree(6)))

local words, seed = {}, 42
for _ = 1, 300 do
  seed = (seed * 1103515245 + 12345) % 2147483648
  local word = "word " .. seed % 97
  words[word] = (words[word] or 0) + 1
end
local keys = {}
for key in pairs(words) do keys[#keys + 1] = key end
table.sort(keys)
print(#keys, table.concat(keys, ","):sub(1, 60))

local function counter()
  local n = 0
  return function() n = n + 1 return n end
end
local c = counter()
for _ = 1, 10 do c() end
local generator = coroutine.wrap(function()
  for i = 1, 20 do coroutine.yield(("x"):rep(i)) end
end)
local length = 0
for s in generator do length = length + #s end
print(c(), length, select(2, pcall(error, {code = 1})).code)
print(string.format("%q %5.2f", "quoted\n", 1 / 3), ("a,b,c"):gsub(",", ";"))
collectgarbage()
