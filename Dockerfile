# The reference server. Build it from the root of the workspace: docker build -t solar-sites .

FROM node:24-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /workspace
# What is installed here is what is built; scripts must not install the rest of the workspace.
ENV npm_config_verify_deps_before_run=false
RUN npm install --global pnpm@10
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml tsconfig.base.json tsup.shared.ts ./
COPY patches patches
COPY packages packages
COPY apps apps
RUN pnpm install --frozen-lockfile --filter solar-sites-workspace --filter "@solar-sites/reference-server..." --filter "@solar-sites/console..."
RUN pnpm --filter "@solar-sites/reference-server..." exec tsup
# The pages lie beside the server that serves them.
RUN pnpm --filter @solar-sites/console exec vite build --outDir ../reference-server/dist/console --emptyOutDir
# The server with what it needs to run and nothing else, in the versions of the lockfile.
RUN pnpm --config.inject-workspace-packages=true --filter @solar-sites/reference-server deploy --prod /app

FROM node:24-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
RUN install --directory --owner=node --group=node /data
COPY --from=build /app /app
WORKDIR /app
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process, so that it gets the signals: give it more than ten seconds to stop.
ENTRYPOINT ["node", "--max-semi-space-size=16", "/app/dist/main.js"]
CMD ["serve"]
