#!/usr/bin/env bash
# Makes a static site of the documents in build/site: open build/site/index.html. It has a search, which
# browsers allow only with a server: python3 -m http.server -d build/site. The site needs nothing from
# elsewhere. A broken link or anchor fails (exit status 1).
# (MkDocs counts warnings only where it may print them, so it is not told to be quiet.)
# Where the package index cannot be reached no site is made, and it says so.
usage="usage: scripts/site.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

case "${1:-}" in
  "") ;;
  -h | --help)
    echo "$usage"
    exit 0
    ;;
  *) die $kExitUsage "found '$1'; $usage" ;;
esac

install_packages python3 python3-venv git
environment=$kBuildDir/site-environment
python3 -m venv "$environment"
if ! "$environment/bin/pip" --disable-pip-version-check --quiet install 'mkdocs>=1.6' 'mkdocs-material>=9.5'; then
  echo "site: SKIPPED: the package index cannot be reached" >&2
  exit 0
fi
source=$kBuildDir/site-source
export NO_MKDOCS_2_WARNING=1
python3 scripts/lib/site_source.py . "$source"
"$environment/bin/mkdocs" build --strict --config-file "$source/mkdocs.yml" \
  --site-dir "$PWD/$kBuildDir/site" >&2
echo "wrote $kBuildDir/site/index.html" >&2
