#!/bin/sh
# Makes the secrets of docker-compose.production.yml in a folder, ./secrets unless another is given: passwords, the key
# pepper, and certificates by an authority of their own. What is there already stays. Needs openssl.
#
# The folder is closed to other users of this machine. The files in it can be read by everybody who gets to them, since
# each container runs its program as another user; a container sees only those that the compose file gives it.
set -eu
umask 077
folder="${1:-secrets}"
mkdir -p "$folder"
chmod 700 "$folder"
cd "$folder"

make() { # make FILE COMMAND…: writes what the command prints, whole or not at all
  file="$1"
  shift
  [ -e "$file" ] && return
  "$@" >"$file.part"
  mv "$file.part" "$file"
  echo "made $file"
}
of() { cat "$1"; }

for password in mongodb-operator-password mongodb-password elastic-password elasticsearch-password; do
  make "$password" openssl rand -hex 24
done
make key-pepper openssl rand -hex 32
make mongodb-keyfile openssl rand -base64 512
make mongodb-uri echo "mongodb://masthead:$(of mongodb-password)@mongo:27017/masthead?replicaSet=rs0&authSource=admin&tls=true&tlsCAFile=/run/secrets/ca.crt"

if [ ! -e ca.crt ]; then
  openssl req -x509 -newkey rsa:3072 -sha256 -nodes -days 3650 -subj '/CN=Masthead engines' \
    -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign' -keyout ca.key -out ca.crt 2>/dev/null
  echo 'made ca.crt'
fi
for server in mongo elasticsearch; do
  [ -e "$server.crt" ] && continue
  printf 'subjectAltName=DNS:%s,DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n' "$server" >"$server.ext"
  openssl req -newkey rsa:3072 -sha256 -nodes -subj "/CN=$server" -keyout "$server.key" -out "$server.csr" 2>/dev/null
  openssl x509 -req -sha256 -days 3650 -in "$server.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -extfile "$server.ext" \
    -out "$server.crt" 2>/dev/null
  rm "$server.csr" "$server.ext"
  echo "made $server.crt"
done
# mongod takes its key and its certificate from one file.
make mongo.pem cat mongo.key mongo.crt

for file in stripe-secret-key stripe-webhook-secret; do
  [ -e "$file" ] || echo "still missing: write the one from Stripe into $folder/$file, then run this again"
done
chmod 444 ./*
# Nothing that runs needs it. It signs the certificates of new servers: keep it elsewhere.
chmod 400 ca.key
