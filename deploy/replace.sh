#!/bin/sh
# Replaces the web processes by those of SIDEWALL_IMAGE with no moment without one, then the worker:
#   SIDEWALL_IMAGE=ghcr.io/you/sidewall:v1.3.0 ./replace.sh
# `docker compose up` alone ends all of them before the new ones are ready. Going back is the same with the image before.
set -eu
cd "$(dirname "$0")"
before=$(docker compose ps --quiet web)
count=$(echo "$before" | wc -l)
docker compose run --rm --no-deps migrate
# As many again beside them; haproxy knows up to ten.
docker compose up --detach --no-deps --no-recreate --wait --scale "web=$((count * 2))" web
# haproxy asks every two seconds: it has found the new ones before the first ends, and missed each before the next.
for one in $before; do
  sleep 10
  docker stop "$one"
  docker rm "$one"
done
docker compose up --detach --no-deps worker
