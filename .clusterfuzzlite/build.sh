#!/usr/bin/env bash
# Builds the native targets for ClusterFuzzLite: programs and seeds by tools/libfuzzer, dictionaries
# by picaproof. The first argument, a regular expression, limits the targets.
set -euo pipefail
only=${1-}
work=$(mktemp -d "${WORK:-/tmp}/export.XXXXXX")
go build -o "$work/picaproof" ./cmd/picaproof
go -C tools run ./libfuzzer -o "$OUT" -only "$only"
for target in $(go -C tools run ./libfuzzer -list -only "$only"); do
  folder=${target%%/*} name=$OUT/${target/\//_}
  kind=programs
  case $target in
    convert/* | find/* | foreign/* | reduce/FuzzReduceFile) kind=shbin ;;
    */FuzzModel* | stored/* | text/*) continue ;; # no bytes of a file or a program
    */FuzzParse* | */FuzzConvert*) kind=$folder ;;
  esac
  [ -d "$work/$kind" ] || "$work/picaproof" fuzz export "$kind" -o "$work/$kind"
  cp "$work/$kind/$kind.dict" "$name.dict"
  printf '[libfuzzer]\ndict = %s\n' "$(basename "$name.dict")" >"$name.options"
done
rm -r "$work"
