-- words.lua FILE... - counts the identifiers of C files and prints the most frequent ones.
-- The demonstration's workload: strings, growing tables, closures, and a cache that nobody reads.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
local count, lines, history = {}, {}, {}

local function add(word, line)
  count[word] = (count[word] or 0) + 1
  -- Every occurrence is remembered, and none is ever asked for: a profile
  -- shows such memory as live for long and hardly used.
  history[#history + 1] = { word = word, line = line }
end

for _, name in ipairs(arg) do
  local file = assert(io.open(name))
  for line in file:lines() do
    lines[#lines + 1] = line
    for word in line:gmatch("[%a_][%w_]*") do
      add(word, #lines)
    end
  end
  file:close()
end
-- What reading left behind goes here.  The collector looks at all that stays, which else
-- was last looked at in the midst of reading: whether that is long ago would depend on
-- how fast the run is.
collectgarbage()

local words = {}
for word in pairs(count) do
  words[#words + 1] = word
end
table.sort(words, function(a, b)
  if count[a] ~= count[b] then
    return count[a] > count[b]
  end
  return a < b
end)

print(#arg .. " files, " .. #lines .. " lines, " .. #words .. " words")
for i = 1, math.min(5, #words) do
  print(string.format("%6d %s", count[words[i]], words[i]))
end
