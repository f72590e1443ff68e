# The registry in a container. The data folder is a volume; with REGISTRY_DATABASE_URL it holds nothing that matters.
ARG NODE=26-slim

FROM node:${NODE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tools/build-package.ts tools/bundle.ts tools/packed-modules.ts tools/package-folder.ts tools/pack.ts tools/
COPY bin bin
COPY src src
RUN node tools/pack.ts program --folder program

FROM node:${NODE}
WORKDIR /app
COPY --from=build /build/program ./
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production REGISTRY_HOST=0.0.0.0 REGISTRY_PORT=8080 REGISTRY_DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 8080
# Longer than the drain time and the ten seconds after which the process has ended in any case.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.REGISTRY_PORT + '/health').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/registry.mjs"]
CMD ["serve"]
