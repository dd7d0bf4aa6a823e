import { jest } from '@jest/globals';
import { MissingPeerError } from '../../../../lib/core/errors.js';
import { youtubeiTranscripts } from '../../../../lib/content/youtube/providers/youtubei.provider.js';
import { providerContext } from '../../../support/fake-youtube/provider-context.js';

jest.unstable_mockModule('youtubei.js', () => {
  const message = "Cannot find package 'youtubei.js' imported from /app/x.js";
  throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
});

it('youtubeiTranscripts names the missing package with its install command, at the first video', async () => {
  const provider = youtubeiTranscripts();
  const call = provider.fetchTranscript('jNQXAC9IVRw', { languages: ['en'] }, providerContext());
  await expect(call).rejects.toThrow(MissingPeerError);
  await expect(call).rejects.toThrow('npm install youtubei.js');
});
