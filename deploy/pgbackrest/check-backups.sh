#!/bin/sh
# check-backups.sh HOURS: the newest backup ended at most so many hours ago, and what the log is given now is archived.
# check-backups.sh HOURS whole: besides, every file in the repository is as it was written, which reads all of them.
# Prints what is wrong and ends with 1. pgBackRest's own `info` and `verify` end with 0, whatever they find.
set -eu

wrong=$(pgbackrest --stanza=sidewall --output=json info | jq -r --argjson hours "$1" '
  .[0] | .backup[-1] as $newest |
  if .status.code != 0 then "pgBackRest says: \([.status.message, .repo[]?.status.message] | join("; "))"
  elif $newest.error then "Pages of the database are broken: see the log of backup \($newest.label)"
  elif now - $newest.timestamp.stop > $hours * 3600 then
    "The newest backup ended \((now - $newest.timestamp.stop) / 3600 | floor) hours ago"
  else empty end')
if [ -n "$wrong" ]; then
  echo "$wrong"
  exit 1
fi

pgbackrest --stanza=sidewall check

if [ "${2:-}" = whole ]; then
  found=$(pgbackrest --stanza=sidewall --output=text --verbose verify)
  if ! echo "$found" | grep -qx 'status: ok'; then
    echo "$found"
    exit 1
  fi
fi
