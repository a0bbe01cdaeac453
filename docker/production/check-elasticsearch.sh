#!/bin/bash
# Healthy once it answers and has the user that Masthead works as, which the first check makes.
set -euo pipefail
ask() { # ask METHOD PATH [BODY]: passwords are not on the command line, which everybody in the container can read
  curl -fsS -X "$1" --cacert config/certs/ca.crt -H 'Content-Type: application/json' \
    -K <(printf 'user = "elastic:%s"\n' "$(cat /run/secrets/elastic-password)") \
    ${3:+--data-binary @<(printf '%s' "$3")} "https://elasticsearch:9200/$2"
}
ask GET '_cluster/health?wait_for_status=yellow&timeout=2s'
[ -e /tmp/has-masthead ] && exit
ask PUT _security/role/masthead \
  '{"cluster":["monitor"],"indices":[{"names":["masthead-records","masthead-records-*"],"privileges":["all"]}]}'
ask PUT _security/user/masthead \
  "{\"roles\":[\"masthead\"],\"password\":\"$(cat /run/secrets/elasticsearch-password)\"}"
touch /tmp/has-masthead
