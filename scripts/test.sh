#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests. Arguments go to ctest.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

install_packages "${kPackages[@]}" "${kTestPackages[@]}"
configure_and_build Release auto all
ctest --test-dir "$kBuildDir" --output-on-failure "$@"
