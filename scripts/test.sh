#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests. Arguments go to ctest.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

install_packages "${kPackages[@]}" "${kTestPackages[@]}"
configure_and_build "$kTestBuildDir" all -DCMAKE_BUILD_TYPE=Release
ctest --test-dir "$kTestBuildDir" --output-on-failure "$@"
