# The sample app: an API or a worker, as `ROLE` says. See compose.yaml.
FROM node:22-slim@sha256:83f487e0a63425e5b4d146fb5e5be574bcbe1b7b843d3ebafdd95eaf7767a7e5
WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts && npx nest build
ENV HOST=0.0.0.0 PORT=3000
USER node
CMD ["node", "dist-app/sample-app/main.js"]
