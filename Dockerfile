# The sample app: an API or a worker, as `ROLE` says. See compose.yaml.
FROM node:22-slim
WORKDIR /app
COPY . .
RUN npm ci && npx nest build
ENV HOST=0.0.0.0 PORT=3000
USER node
CMD ["node", "dist-app/sample-app/main.js"]
