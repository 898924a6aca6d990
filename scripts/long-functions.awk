# SPDX-License-Identifier: Apache-2.0
#
# Names every function above 40 lines, signature and closing brace included. It relies on the layout that swift-format
# enforces: a body opens with `{` at the end of a line and closes with `}` at the indentation its declaration has.

function indentation(line) {
  match(line, /^ */)
  return RLENGTH
}

FNR == 1 { split("", opened); split("", waiting) }

{
  depth = indentation($0)
  if (depth in waiting) {
    # A signature of several lines goes on with `)`, `->` or `where`; anything else means there is no body.
    if ($0 ~ /^ *(\)|->|where).*\{$/) opened[depth] = waiting[depth]
    if ($0 !~ /^ *(\)|->|where)/ || depth in opened) delete waiting[depth]
  }
  if (depth in opened && $0 ~ /^ *\}/) {
    lines = FNR - opened[depth] + 1
    if (lines > 40) print FILENAME ":" opened[depth] ": " lines
    delete opened[depth]
  }
}

/^ *(@?[A-Za-z_]+(\([a-zA-Z]+\))? )*(func |init[?(<]|deinit |subscript[(<]|var .*\{$)/ && !/^ *\/\// {
  if ($0 ~ /\{$/) opened[depth] = FNR
  else if ($0 !~ /\}$/) waiting[depth] = FNR
}
