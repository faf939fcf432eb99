# To pin the base image by digest: --build-arg NODE_IMAGE=node:24-slim@sha256:…, see docs/operations.md.
ARG NODE_IMAGE=node:24-slim

# The packages alone, so that a change of the code does not install them again.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev

# The web console; what builds it stays in this stage.
FROM ${NODE_IMAGE} AS console
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY clients ./clients
COPY dns ./dns
COPY web ./web
COPY scripts ./scripts
RUN npm run build:console

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# npm runs the scripts for operators; the root file system may be read-only.
ENV npm_config_cache=/tmp/npm npm_config_update_notifier=false
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json README.md app.ts config.ts dependencies.ts main.ts server.js ./
COPY bin ./bin
COPY clients ./clients
COPY db ./db
COPY dns ./dns
COPY docs ./docs
COPY modules ./modules
COPY plugins ./plugins
COPY schemas ./schemas
COPY scripts ./scripts
COPY --from=console /app/web/dist ./web/dist
RUN mkdir /data && chown node:node /data
USER node
# The generated key and, where DATABASE_URL is not set, the database.
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Less memory: Node would give young objects up to 128 MB on a machine with much memory, without a gain (docs/performance.md).
CMD ["node", "--max-semi-space-size=16", "server.js"]
