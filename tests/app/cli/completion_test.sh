#!/usr/bin/env bash
# Tests completion in the shells themselves: bash with COMP_WORDS as a terminal sets them; zsh and
# fish, where they are installed, by what they offer.
# usage: completion_test.sh PRESORT
set -uo pipefail
presort=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
PATH=$(dirname "$presort"):$PATH
mkdir reports
touch recorded.jsonl
checks=0
failures=0

# expect FOUND WANTED WHAT: fails, naming WHAT, unless the words FOUND are WANTED, in order, with
# single spaces.
expect() {
  checks=$((checks + 1))
  if [ "$1" != "$2" ]; then
    echo "FAILED: $3: offered '$1', expected '$2'" >&2
    failures=$((failures + 1))
  fi
}

eval "$(presort completion bash)" || exit 1

# in_bash WANTED WORD…: what bash offers for the last of the words, split as bash splits a line.
in_bash() {
  local wanted=$1
  COMP_WORDS=("${@:2}")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _presort 2>/dev/null
  expect "${COMPREPLY[*]}" "$wanted" "bash: ${*:2}"
}

COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
in_bash "simulate" presort sim
in_bash "tune" presort t
in_bash "--trace" presort simulate --tr
in_bash "--max-p95-regret" presort validate --max-p
in_bash "cascade-lake-vm" presort tune -m cascade
in_bash "emerald-rapids-host" presort simulate -n 2^20 --machine emerald
in_bash "sortBits=" presort run --plan sortB
in_bash "9,passes=" presort run --plan sortBits = 9,pas
in_bash "2MiB" presort run --plan pageSize = 2
in_bash "gather" presort run --op = ga
in_bash "recorded.jsonl" presort validate --replay rec
in_bash "reports" presort validate -o rep
in_bash "recorded.jsonl" presort run --dist file : rec
in_bash "" presort run -n ""
in_bash "plan-keys" presort help pl
in_bash "" presort nothing ""
in_bash "bash zsh fish" presort completion ""

if command -v zsh >/dev/null; then
  presort completion zsh >_presort
  # Stand-in for zsh's compadd, which fails outside of a completion: prints the words that it is
  # given.
  cat >zsh.sh <<'END'
compdef() { :; }
compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -r -- "$@"; }
compset() { :; }
_files() { print -r -- "files $@"; }
source ./_presort
words=("$@")
CURRENT=$#
_presort
END
  in_zsh() { expect "$(zsh -f zsh.sh "${@:2}" | paste -sd' ')" "$1" "zsh: ${*:2}"; }
  in_zsh "simulate" presort sim
  in_zsh "cascade-lake-vm files " presort tune -m cascade
  in_zsh "sortBits=9,passes=" presort run --plan sortBits=9,pas
  in_zsh "files -/" presort validate -o ""
else
  echo "zsh is not installed: its completion is not tested"
fi

if command -v fish >/dev/null; then
  presort completion fish >presort.fish
  export HOME=$folder
  in_fish() {
    expect "$(fish -N -c "source presort.fish; complete -C '$2'" | cut -f1 | paste -sd' ')" "$1" "fish: $2"
  }
  in_fish "simulate" "presort sim"
  in_fish "cascade-lake-vm" "presort tune -m cascade"
  in_fish "sortBits=9,passes=" "presort run --plan sortBits=9,pas"
  in_fish "recorded.jsonl" "presort validate --replay rec"
  in_fish "reports/" "presort validate -o re"
else
  echo "fish is not installed: its completion is not tested"
fi

echo "$checks checks, $failures failed"
[ "$failures" -eq 0 ]
