#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# enrol.sh URL BOX KEY [TOKEN [PATH]]
# Asks a reporter to know a box, as config/REPORTS.md has it, with curl and openssl alone. KEY is what
# `openssl genpkey -algorithm ed25519` wrote. Prints the answer, and its status on a line of its own.
set -eu
url=$1 box=$2 key=$3 token=${4:-} path=${5:-/v1/enrolments}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nonce=$(curl -s "$url/v1/nonce" | sed 's/.*"nonce":"\([^"]*\)".*/\1/')
public=$(openssl pkey -in "$key" -pubout -outform DER | openssl base64 -A)
type=application/vnd.touchline.enrolment+json
printf '{"enrolment":1,"box":"%s","publicKey":"%s","nonce":"%s","name":"Bar","version":"1.0"%s}' \
    "$box" "$public" "$nonce" "${token:+,\"token\":\"$token\"}" >"$work/payload"
# What is signed: type and payload, each behind its length (DSSE).
{ printf 'DSSEv1 %d %s %d ' ${#type} "$type" "$(wc -c <"$work/payload")"; cat "$work/payload"; } >"$work/signed"
openssl pkeyutl -sign -inkey "$key" -rawin -in "$work/signed" -out "$work/signature"
printf '{"payload":"%s","payloadType":"%s","signatures":[{"keyid":"box","sig":"%s"}]}' \
    "$(openssl base64 -A <"$work/payload")" "$type" "$(openssl base64 -A <"$work/signature")" >"$work/envelope"
curl -s -w '\n%{http_code}\n' -H 'Content-Type: application/json' --data-binary "@$work/envelope" "$url$path"
