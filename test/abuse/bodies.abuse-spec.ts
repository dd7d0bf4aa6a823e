import { APPS, AbusedApp } from '../support/abused-app.js';
import { closeHosts } from '../support/host.js';
import { BODY_VECTORS } from './body-vectors.js';

describe.each(APPS)('malformed bodies on %s', (_name, make) => {
  let app: AbusedApp;
  beforeAll(async () => {
    app = await AbusedApp.start(make);
  });
  afterAll(async () => {
    app.restore();
    await closeHosts();
  });

  it(`refuses each of ${BODY_VECTORS.length} in the documented form, at no cost`, async () => {
    const failures: string[] = [];
    for (const { name, request, statuses } of BODY_VECTORS) {
      const faults = await app.refused(request, statuses).catch((error: Error) => [error.message]);
      if (faults.length > 0) failures.push(`${name}: ${faults.join('; ')}`);
    }
    expect(failures).toEqual([]);
    expect(app.costs).toEqual({ works: 0, dialled: [] });
  });
});
