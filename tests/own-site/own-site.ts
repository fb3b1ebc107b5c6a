import { copyFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import type { SetupContext } from '../../harness/tools/setup-context.ts';
import { choosePort } from '../../src/core/system/free-port.ts';
import { applications, pythonWith, startApplication } from '../replay/applications.ts';
import { startFront } from '../support/front-server.ts';
import { privateAuthority } from '../support/private-authority.ts';

/** The name that README's chapter has. */
const host = 'staging.example';
/** The word of the application's demo. */
export const secretVariables = { STAGING_PASSWORD: 'demo' };

const journey = `import { test, expect, beforeMeasured, secret } from 'h2h3/journey';

beforeMeasured(async ({ page }) => {
  await page.goto('/authenticate?project_id=demo');
  await page.locator('#password').fill(secret('STAGING_PASSWORD'));
  await page.keyboard.press('Enter');
  await expect(page.locator('#new-bill')).toBeVisible({ timeout: 30_000 });
});

test('share costs', async ({ page }) => {
  await test.step('open', async () => {
    await page.goto('/demo/');
    await expect(page.locator('#new-bill')).toBeVisible();
  });
  await test.step('statistics', async () => {
    await page.getByRole('link', { name: 'Statistics' }).click();
    await page.waitForURL(/statistics/);
  });
  await test.step('bill', async () => {
    await page.getByRole('link', { name: 'Bills', exact: true }).click();
    await page.locator('#new-bill a').click();
    await expect(page.locator('#bill-form')).toBeVisible();
  });
});
`;

const logIn = `export default async ({ page, url, secret }) => {
  await page.goto(new URL('/authenticate?project_id=demo', url).href);
  await page.type('#password', secret('STAGING_PASSWORD'));
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
};
`;

export interface OwnSite {
  /** An `/etc/hosts` in which the site's name leads to it. */
  readonly hostsFile: string;
  /** Writes what the chapter's commands name beside them. */
  giveFiles(folder: string): void;
  stop(): void;
}

/** A real application out of PyPI behind a log-in, under a private authority, over all protocols, at port 443. */
export async function startOwnSite(address: string, folder: string, setup: SetupContext): Promise<OwnSite> {
  const application = applications.find(({ id }) => id === 'ihatemoney');
  if (application === undefined) throw new Error('there is no application ihatemoney');
  const python = await pythonWith(application, setup);
  const port = await choosePort(undefined);
  const running = await startApplication(application, { python, port, folder: join(folder, 'application') });
  const certificate = await privateAuthority(folder, [host]);
  const stopFront = await startFront(
    {
      host,
      certificate,
      addresses: [address],
      folder: join(folder, 'front'),
      ports: { own: 443, application: port },
      aliases: { '/account': '/demo/' },
    },
    setup,
  ).catch((thrown: unknown) => {
    running.kill('SIGTERM');
    throw thrown;
  });
  const hostsFile = join(folder, 'hosts');
  writeFileSync(hostsFile, `127.0.0.1 localhost ${os.hostname()}\n${address} ${host}\n`);
  return {
    hostsFile,
    giveFiles: (to) => {
      writeFileSync(join(to, 'journey.ts'), journey);
      writeFileSync(join(to, 'log-in.ts'), logIn);
      copyFileSync(certificate.rootFile, join(to, 'company-root.pem'));
    },
    stop: () => {
      stopFront();
      running.kill('SIGTERM');
    },
  };
}
