-- work.lua - tables, strings, closures, coroutines, sorting and garbage collection, with the same output always.
-- The first argument is how much of it, the second the exit code, or "error" for a script that fails.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
local amount, ending = tonumber(arg[1]), arg[2]

local function tree(depth)
  if depth == 0 then return {} end
  return {tree(depth - 1), tree(depth - 1)}
end
local function count(t)
  if not t[1] then return 1 end
  return 1 + count(t[1]) + count(t[2])
end
local sum = 0
for _ = 1, amount do sum = sum + count(tree(8)) end

local words, seed = {}, 42
for _ = 1, amount * 200 do
  seed = (seed * 1103515245 + 12345) % 2147483648
  local word = "word" .. seed % 1009
  words[word] = (words[word] or 0) + 1
end
local keys = {}
for key in pairs(words) do keys[#keys + 1] = key end
table.sort(keys, function(a, b) return a > b end)

local lines = coroutine.wrap(function()
  for i = 1, #keys do coroutine.yield(keys[i] .. "=" .. words[keys[i]]) end
end)
local text = {}
for line in lines do text[#text + 1] = line end
local joined = table.concat(text, ",")
local replaced, times = joined:gsub("word(%d+)", "w%1")

local weak = setmetatable({}, {__mode = "k"})
for i = 1, 100 do weak[{}] = i end
collectgarbage()
local kept = 0
for _ in pairs(weak) do kept = kept + 1 end

print(sum, #keys, #joined, #replaced, times, kept)
if ending == "error" then error("as asked for") end
os.exit(tonumber(ending), true)
