#!/usr/bin/env bash
# A second verifier of bundles, written from docs/ledger-format.md alone: bash, coreutils, openssl 3, and nothing of ours.
#
#   verify/second/verify.sh BUNDLE VKEY_FILE
#
# Checks the form of every line, each row's hash and link, what the rows of a session promise of their order, that a
# rewritten attempt and no other commits to what was asked for, the proof that the last row is in the log, and the
# signature. Does not check openings and ties to earlier checkpoints (it says so), nor what an `of` names. COMPLETE ends
# with 0, OPEN with 3, INVALID with 1, wrong use with 2.
set -euo pipefail
export LC_ALL=C

invalid() { echo "INVALID at $1: $2"; exit 1; }
sha256() { openssl dgst -sha256 -r | cut -d' ' -f1; }
unhex() { printf "$(sed 's/../\\x&/g' <<<"$1")"; }
hex() { od -An -v -tx1 | tr -d ' \n'; }
unbase64() { base64 -d <<<"$1" 2>/dev/null | hex; }
node() { unhex "01$1$2" | sha256; }

[ $# -eq 2 ] && [ -f "$1" ] && [ -f "$2" ] || { echo "usage: verify.sh BUNDLE VKEY_FILE" >&2; exit 2; }
command -v openssl base32 od >/dev/null || { echo "verify.sh: openssl, base32 and od are needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The pinned key: name+id+base64(01 || key), one line.
vkey=$(grep -v '^#' "$2" | grep . | head -1)
name=${vkey%%+*} rest=${vkey#*+}
id=${rest%%+*} key=$(unbase64 "${rest#*+}")
[ "${#key}" -eq 66 ] && [ "${key:0:2}" = 01 ] || { echo "verify.sh: $2 holds no Ed25519 vkey" >&2; exit 2; }
key=${key:2}
[ "$( { printf '%s\n' "$name"; unhex "01$key"; } | sha256 | cut -c1-8)" = "$id" ] ||
    { echo "verify.sh: the id of the key is not its own" >&2; exit 2; }

# The shell drops zero bytes as it reads: what it then checks would not be the file.
[ "$(tr -d '\0' <"$1" | wc -c)" -eq "$(wc -c <"$1")" ] || invalid header "the file holds a zero byte, which no part does"

exec 3<"$1"
IFS= read -r line <&3 || invalid header "the file is empty"
header='^\{"format":"dtbundle/1","origin":"([^"\\]+)","rows":([1-9][0-9]*),"session":"ses_([a-z2-7]{26})"\}$'
[[ $line =~ $header ]] || invalid header "it is not the header of dtbundle/1"
origin=${BASH_REMATCH[1]} rows=${BASH_REMATCH[2]}
session=$(base32 -d <<<"${BASH_REMATCH[3]^^}======" 2>/dev/null | hex)
[ "${#session}" -eq 32 ] || invalid header "it names no session"

# Rows.
head=$(unhex "$session" | sha256) at=0 closed=no redacted=()
row='^\{"at_us":(0|[1-9][0-9]{0,18}),"body(_sha256)?":"(.*)","hash":"([0-9a-f]{64})","id":"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})","n":(0|[1-9][0-9]*),"prev":"([0-9a-f]{64})"\}$'
for ((n = 0; n < rows; n++)); do
    IFS= read -r line <&3 || invalid "row $n" "the row is missing"
    [[ $line =~ $row ]] || invalid "row $n" "the line is not a row"
    at_us=${BASH_REMATCH[1]} left_out=${BASH_REMATCH[2]} body=${BASH_REMATCH[3]} hash=${BASH_REMATCH[4]}
    row_id=${BASH_REMATCH[5]//-/} prev=${BASH_REMATCH[7]}
    [ "${BASH_REMATCH[6]}" = "$n" ] || invalid "row $n" "n is not $n"
    [ "$closed" = no ] || invalid "row $n" "it follows the close"
    [ "$prev" = "$head" ] || invalid "row $n" "prev is not the hash before it"
    if [ -n "$left_out" ]; then
        [[ $body =~ ^[0-9a-f]{64}$ ]] || invalid "row $n" "the hash of the body is none"
        digest=$body
        redacted+=("$n")
    else
        plain=${body//\\\"/\"}
        case $plain in *\\*) invalid "row $n" "the body has an escape that no row needs" ;; esac
        [[ $plain =~ ^[[:print:]]*$ ]] || invalid "row $n" "the body is not printable ASCII"
        [ "${plain//\"/\\\"}" = "$body" ] || invalid "row $n" "the body has a quote that is not escaped"
        [[ $plain =~ \"kind\":\"([a-z.]+)\" ]] || invalid "row $n" "the body has no kind"
        opens=no
        [ "${BASH_REMATCH[1]}" = session.open ] && opens=yes
        [ "${BASH_REMATCH[1]}" = session.close ] && closed=yes
        [ "$opens" = "$([ "$n" -eq 0 ] && echo yes || echo no)" ] || invalid "row $n" "session.open is out of place"
        if [ "${BASH_REMATCH[1]}" = attempt ]; then
            rewritten=no original=no
            case $plain in *'"verdict":"rewrite"'*) rewritten=yes ;; esac
            case $plain in *'"original":'*) original=yes ;; esac
            [ "$original" = "$rewritten" ] || invalid "row $n" "what was asked for is committed to where it was rewritten"
            [ "$original" = no ] || [[ $plain =~ \"original\":\"[0-9a-f]{64}\" ]] ||
                invalid "row $n" "the commitment to what was asked for is none"
        fi
        digest=$(printf %s "$plain" | sha256)
    fi
    leaf=00$(printf dtl1 | hex)$session$(printf '%016x%016x' "$n" "$at_us")$row_id$prev$digest
    [ "$(unhex "$leaf" | sha256)" = "$hash" ] || invalid "row $n" "the hash is not that of the row"
    [ "$at_us" -ge "$at" ] || invalid "row $n" "it lies before the row before it"
    head=$hash at=$at_us
done

# Openings and a tie: their place and form only.
unchecked=no
while IFS= read -r line <&3 || invalid proof "it is missing"; do
    [ "$line" = c2sp.org/tlog-proof@v1 ] && break
    [[ $line =~ ^\{\"(n\":[0-9]+,\"nonce|consistency)\": ]] || invalid proof "it does not begin where it should"
    unchecked=yes
done

# The proof: index and path, then the checkpoint to the end of the file.
IFS= read -r line <&3 || invalid proof "it is cut"
[[ $line =~ ^index\ (0|[1-9][0-9]{0,17})$ ]] || invalid proof "it has no index"
index=${BASH_REMATCH[1]} path=()
while IFS= read -r line <&3 || invalid proof "it is cut"; do
    [ -z "$line" ] && break
    step=$(unbase64 "$line") || invalid proof "a hash is not base64"
    [ "${#step}" -eq 64 ] && [ "$(unhex "$step" | base64)" = "$line" ] || invalid proof "a hash has not 32 bytes"
    path+=("$step")
done
cat <&3 >"$work/note"

# The checkpoint: three lines of text, an empty line, one signature line by the pinned key.
sed -n '1,3p' "$work/note" >"$work/text"
{ read -r its_origin; read -r size; read -r root64; } <"$work/text" || invalid checkpoint "it is cut"
root=$(unbase64 "$root64") || invalid checkpoint "the root is not base64"
[[ $size =~ ^(0|[1-9][0-9]{0,17})$ && ${#root} -eq 64 ]] || invalid checkpoint "it has no size and root"
[ "$its_origin" = "$origin" ] || invalid checkpoint "it is of another log than the header"
signed=$(sed -n '5p' "$work/note")
signature=$(unbase64 "${signed##* }") || invalid checkpoint "the signature is not base64"
[ "${signed% *}" = "— $name" ] && [ "$name" = "$origin" ] || { echo "UNKNOWN KEY ${signed% *}"; exit 1; }
[ "${signature:0:8}" = "$id" ] || { echo "UNKNOWN KEY $name+${signature:0:8}"; exit 1; }
printf '%s\n%s\n%s\n\n%s\n' "$its_origin" "$size" "$root64" "— $name $(unhex "$signature" | base64 -w0)" |
    cmp -s - "$work/note" || invalid checkpoint "there is more in it, or it is encoded in another way"
unhex "${signature:8}" >"$work/signature"
unhex "302a300506032b6570032100$key" >"$work/key"
openssl pkeyutl -verify -rawin -pubin -keyform DER -inkey "$work/key" -sigfile "$work/signature" -in "$work/text" \
    >/dev/null 2>&1 || invalid checkpoint "the signature does not fit"

# The last row's hash leads along the path to the signed root (RFC 9162 section 2.1.3.2).
[ "$index" -lt "$size" ] || invalid proof "the index is outside of the log"
fn=$index sn=$((size - 1)) found=$head
for step in ${path[@]+"${path[@]}"}; do
    [ "$sn" -ne 0 ] || invalid proof "the path is too long"
    if ((fn & 1 || fn == sn)); then
        found=$(node "$step" "$found")
        while ((!(fn & 1) && fn)); do fn=$((fn >> 1)) sn=$((sn >> 1)); done
    else
        found=$(node "$found" "$step")
    fi
    fn=$((fn >> 1)) sn=$((sn >> 1))
done
[ "$sn" -eq 0 ] && [ "$found" = "$root" ] || invalid proof "row $((rows - 1)) is not at its place in the log"

[ "$closed" = yes ] && echo COMPLETE || echo OPEN
for n in ${redacted[@]+"${redacted[@]}"}; do echo "  row $n redacted"; done
[ "$unchecked" = no ] || echo "  openings and ties are not checked here"
[ "$closed" = yes ] || exit 3
