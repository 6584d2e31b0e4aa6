// usage: PORT=8105 node tmp-shoot.ts out-prefix /office/warehouses [/more/paths …]
import { launchBrowser } from "./tests/support/browser.ts";
const port = process.env.PORT ?? "8105";
const [prefix, ...paths] = process.argv.slice(2);
const base = `http://localhost:${port}`;
const browser = await launchBrowser();
const context = await browser.newContext();
const page = await context.newPage();
await page.goto(`${base}/sign-in`);
await page.fill('input[name="email"]', process.env.WHO ?? "owner@example.com");
await page.fill('input[name="password"]', "sidewall-demo");
await page.locator('form:has(input[name="password"]) button[type="submit"]').first().click();
await page.waitForLoadState("networkidle");
for (const path of paths) {
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(base + path);
    await page.waitForLoadState("networkidle");
    const name = `/tmp/${prefix}-${path.replace(/[^a-z0-9]+/gi, "-").slice(1)}-${width}.png`;
    await page.screenshot({ path: name, fullPage: true });
    console.log(name);
  }
}
await browser.close();
