// Swagger UI of a host that makes its own document with its own login, used as a person would.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { openPage, ROOT, startBrowser } from './browser.mjs';

const { apiKeySecurity, documents, ToolsModule } = createRequire(import.meta.url)(
  `${ROOT}/dist-app/lib/index.js`,
);

class Host {}
Module({
  imports: [
    ToolsModule.forRoot({
      apiKeys: ['host-key'],
      search: { providers: [documents([{ url: 'https://a.example/', text: 'Cells have organelles.' }])] },
    }),
  ],
})(Host);

let app;
let browser;
before(async () => {
  app = await NestFactory.create(Host, { logger: false });
  const config = new DocumentBuilder()
    .addBearerAuth()
    .addApiKey(...apiKeySecurity())
    .build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, config));
  await app.listen(0, '127.0.0.1');
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await app?.close();
});

test('Swagger UI of a host takes the key beside the login of the host', async () => {
  const { page, close } = await openPage(browser.context, `${await app.getUrl()}/docs`);
  const operation = page.locator('#operations-tools-searchWeb');
  // The padlock of the operation leads to the one scheme that it asks for.
  await operation.locator('button.authorization__btn').click();
  const dialog = page.locator('.dialog-ux');
  assert.match(await dialog.textContent(), /ApiKeyAuth.*X-API-Key/s);
  assert.doesNotMatch(await dialog.textContent(), /bearer/i);
  await dialog.locator('input').fill('host-key');
  await dialog.locator('button.authorize').click();
  await dialog.locator('button.btn-done').click();
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('.try-out__btn').click();
  const [response] = await Promise.all([
    page.waitForResponse((candidate) => candidate.request().method() === 'POST'),
    operation.locator('.execute').click(),
  ]);
  assert.equal(response.status(), 200, await response.text());
  await close();
});
