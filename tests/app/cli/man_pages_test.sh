#!/usr/bin/env bash
# Tests the manual pages: complete, no text taken for a roff macro, and accepted by mandoc and man
# where these are installed.
# usage: man_pages_test.sh PRESORT [FOLDER_OF_WRITTEN_PAGES]
set -uo pipefail
presort=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
  echo "FAILED: $1" >&2
  failures=$((failures + 1))
}

pages=0
known='^\.(TH|SH|TP|RS|RE|nf|fi|nh|ad l)( |$)'
for name in "" $("$presort" completion words help --man "" | cut -d' ' -f1); do
  page=$folder/presort${name:+-$name}.1
  # shellcheck disable=SC2086
  SOURCE_DATE_EPOCH=86400 "$presort" help --man $name >"$page" || fail "help --man $name: exit $?"
  pages=$((pages + 1))
  grep -qE '^\.TH PRESORT[A-Z\\-]* 1 1970-01-02 "presort [0-9.]+"' "$page" || fail "$page: no title"
  for section in NAME SYNOPSIS DESCRIPTION '"EXIT STATUS"' EXAMPLES '"SEE ALSO"'; do
    grep -qxF ".SH $section" "$page" || fail "$page: no section $section"
  done
  ! grep -nE "^['.]" "$page" | grep -vE "^[0-9]+:${known#^}" || fail "$page: a line is no macro"
  ! LC_ALL=C grep -nP '[^\x00-\x7F]' "$page" || fail "$page: not ASCII"
  if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$page" || fail "$page: mandoc warns"
  fi
  if man --version >/dev/null 2>&1; then
    text=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" 2>"$folder/warnings" | col -b)
    [ ! -s "$folder/warnings" ] || fail "$page: man warns: $(head -n 3 "$folder/warnings")"
    if [ -n "$name" ]; then
      for option in $("$presort" completion words "$name" "" | grep -v '^:' | cut -d' ' -f1); do
        grep -qF -- "$option" <<<"$text" || fail "$page: lacks $option"
      done
    fi
  fi
done
if [ -n "${2:-}" ]; then
  diff <(cd "$folder" && ls ./*.1) <(cd "$2" && ls ./*.1) || fail "$2 has other pages"
fi
echo "$pages pages, $failures failures"
[ "$failures" -eq 0 ] && [ "$pages" -gt 10 ]
