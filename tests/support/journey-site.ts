import { answerWith, behindForm } from './site-behind-form.ts';

export const secrets = { pass: 'pass-41d8c0e7', session: 'session-77ac02d9', note: 'note-5b61e0aa' };

const account = `<h1>the account</h1><a id="orders" href="/orders">orders</a>
<button id="search">search</button>
<script>
  document.querySelector('#search').onclick = async () => {
    const until = performance.now() + 40;
    while (performance.now() < until);
    history.pushState({}, '', '/search');
    const found = await (await fetch('/found')).text();
    const view = document.createElement('main');
    view.innerHTML = '<h2 style="font-size: 60px">' + found + '</h2>';
    document.body.replaceChildren(view);
  };
</script>`;

/** An application behind a form: an account, a search that loads no document, a second page. */
export const application = behindForm(secrets, ({ url = '' }, response) => {
  if (url === '/found') return void response.end('found it');
  answerWith(response, url.startsWith('/orders') ? '<h1>orders</h1>' : account);
});

/** The same journey by Playwright Test and by Puppeteer. */
export const scripts = {
  best: `import { test, expect, beforeMeasured, secret } from 'h2h3/journey';
beforeMeasured(async ({ page }) => {
  await page.goto('/login');
  await page.fill('input[name=word]', secret('OWN_WORD'));
  await page.click('button');
  await expect(page.locator('h1')).toHaveText('the account', { timeout: 60_000 });
});
test('shop', async ({ page, context }) => {
  await test.step('open', async () => {
    await page.goto('/?note=' + secret('OWN_NOTE'));
    await expect(page.locator('h1')).toHaveText('the account', { timeout: 60_000 });
  });
  await test.step('search', async () => {
    await page.locator('#search').click();
    await expect(page.locator('h2')).toHaveText('found it', { timeout: 60_000 });
  });
  await test.step('orders', async () => {
    await page.goto('/orders');
    await expect(page).toHaveTitle('shop', { timeout: 60_000 });
  });
});`,
  firefox: `import { beforeMeasured, step, secret } from 'h2h3/journey';
beforeMeasured(async ({ page, url }) => {
  await page.goto(url);
  await page.type('input[name=word]', secret('OWN_WORD'));
  await Promise.all([page.waitForNavigation(), page.click('button')]);
});
export default async ({ page, url }) => {
  await step('open', () => page.goto(url + '?note=' + secret('OWN_NOTE')));
  await step('search', async () => {
    await page.click('#search');
    await page.waitForSelector('h2');
  });
  await step('orders', () => page.goto(url + 'orders'));
};`,
} as const;
