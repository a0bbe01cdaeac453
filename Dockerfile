# Masthead's API and its indexer, one image. Node runs the TypeScript as it stands, so nothing is built but node_modules.
#
# NODE_USE_SYSTEM_CA: beside the certificate authorities that Node knows, it trusts those in /etc/ssl/certs, such as the one
# of a proxy that a base image of your own brings. Without that folder Node would complain.
FROM node:24-bookworm-slim AS dependencies
ENV NODE_USE_SYSTEM_CA=1
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts scripts
# What `npm start` installs on a machine that has this Node; `npm run` in the image finds it in place.
RUN mkdir -p /etc/ssl/certs && node scripts/setup.mjs runtime

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title=Masthead org.opencontainers.image.version=1.3.0
ENV NODE_ENV=production NODE_USE_SYSTEM_CA=1 HOST=0.0.0.0 MASTHEAD_DATA_DIR=/data
RUN mkdir -p /etc/ssl/certs && mkdir -m 700 /data && chown node:node /data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json package-lock.json ./
COPY scripts scripts
COPY docker docker
COPY mappings mappings
COPY src src
COPY indexer indexer
COPY admin admin
USER node
VOLUME /data
EXPOSE 3000
# Whether the API runs. After an upgrade, an embedded store first builds its index, unhealthy only if that takes half an hour.
# docker-compose.yml has a check of its own for the indexer.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30m \
  CMD node docker/is-ok.mjs "http://127.0.0.1:${PORT:-3000}/healthz"
# Limits garbage to half of the heap: decisions/0001.
CMD ["node", "--heap-growing-percent=100", "--max-semi-space-size=16", "src/main.ts"]
