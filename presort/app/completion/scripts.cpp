#include "presort/app/completion/scripts.h"

#include <iterator>

#include "presort/core/text/names.h"

namespace presort::inline v0::app {
namespace {

// The bash script. bash splits words at '=' and ':'; the script joins them again, and cuts the part
// that bash has split off from the candidates.
constexpr char kBash[] = R"sh(# bash completion for presort; made by: presort completion bash
_presort() {
  local words=() word glue="" i line offered current
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == [=:]* && ${#words[@]} -gt 0 ]]; then
      words[${#words[@]}-1]+=$word
      glue=1
    elif [[ -n $glue ]]; then
      words[${#words[@]}-1]+=$word
      glue=""
    else
      words+=("$word")
    fi
  done
  COMPREPLY=()
  current=${words[${#words[@]}-1]}
  local cut="" head
  if [[ $current == *[=:]* ]]; then
    head=${current##*[=:]}
    cut=${current%"$head"}
    [[ $cut == *: && $COMP_WORDBREAKS != *:* ]] && cut=""
    [[ $cut == *= && $COMP_WORDBREAKS != *=* ]] && cut=""
  fi
  while IFS= read -r line; do
    offered=${line%% *}
    if [[ $offered == :files || $offered == :folders ]]; then
      local prefix="" path action=-f
      [[ $line == *" "* ]] && prefix=${line#* }
      [[ $offered == :folders ]] && action=-d
      compopt -o filenames 2>/dev/null
      while IFS= read -r path; do
        path=$prefix$path
        COMPREPLY+=("${path#"$cut"}")
      done < <(compgen "$action" -- "${current#"$prefix"}")
    else
      [[ $offered == *[=:.] ]] && compopt -o nospace 2>/dev/null
      COMPREPLY+=("${offered#"$cut"}")
    fi
  done < <("${COMP_WORDS[0]/#\~/$HOME}" completion words "${words[@]}" 2>/dev/null)
}
complete -F _presort presort
)sh";

constexpr char kZsh[] = R"sh(#compdef presort
# zsh completion for presort; made by: presort completion zsh
_presort() {
  local line word description prefix paths=""
  local -a closed closed_text open open_text
  while IFS= read -r line; do
    word=${line%% *}
    description=""
    [[ $line == *" "* ]] && description=${line#* }
    case $word in
      :files | :folders) paths=$word prefix=$description ;;
      *[=:.]) open+=("$word") open_text+=("$word${description:+  -- $description}") ;;
      *) closed+=("$word") closed_text+=("$word${description:+  -- $description}") ;;
    esac
  done < <(${(Q)words[1]} completion words "${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( ${#closed} )) && compadd -l -d closed_text -- "${closed[@]}"
  (( ${#open} )) && compadd -l -S "" -d open_text -- "${open[@]}"
  if [[ -n $paths ]]; then
    [[ -n $prefix ]] && compset -P "*[=:]"
    if [[ $paths == :folders ]]; then _files -/; else _files; fi
  fi
}
if [[ $funcstack[1] == _presort ]]; then
  _presort "$@"
else
  compdef _presort presort
fi
)sh";

constexpr char kFish[] = R"sh(# fish completion for presort; made by: presort completion fish
function __presort_words
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] completion words $words[2..-1] "$current" 2>/dev/null)
        if string match -q ':*' -- $line
            set -l prefix (string replace -r '^:[a-z]+ ?' '' -- $line)
            set -l begun (string replace -- "$prefix" '' "$current")
            for path in (__fish_complete_path "$begun")
                string match -q ':folders*' -- $line
                and not string match -q '*/*' -- $path
                or echo "$prefix$path"
            end
        else
            string replace ' ' \t -- $line
        end
    end
end
complete -c presort -f -a '(__presort_words)'
)sh";

struct Script {
  const char* shell;
  const char* text;
};
constexpr Script kScripts[] = {{"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}};

}  // namespace

std::vector<std::string> completion_shells() {
  std::vector<std::string> shells;
  for (const Script& script : kScripts) {
    shells.emplace_back(script.shell);
  }
  return shells;
}

std::string completion_script(const std::string& shell) {
  for (const Script& script : kScripts) {
    if (script.shell == shell) {
      return script.text;
    }
  }
  throw InputError(unknown_name_message("completion", shell, completion_shells()));
}

}  // namespace presort::app
