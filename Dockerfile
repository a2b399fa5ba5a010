# quorate in a container. Build it in the root of the repository: docker build --tag quorate .
FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && npm run build && mkdir /packed \
  && npm pack --workspace packages/certificate --workspace packages/quorate --pack-destination /packed

FROM node:24-slim
COPY --from=build /packed /opt/packed
RUN npm install --omit=dev --prefix /opt/quorate /opt/packed/*.tgz && rm -r /opt/packed \
  && install --directory --owner=node --group=node --mode=700 /var/lib/quorate
ENV NODE_ENV=production
ENV NO_COLOR=1
ENV PATH=/opt/quorate/node_modules/.bin:$PATH
ENV QUORATE_STORE=sqlite:/var/lib/quorate/quorate.db
USER node
# The config and the prompts it names are mounted here.
WORKDIR /srv/quorate
VOLUME /var/lib/quorate
EXPOSE 4711
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4711/readyz', { signal: AbortSignal.timeout(4000) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["quorate"]
CMD ["serve", "--host", "0.0.0.0", "--port", "4711"]
