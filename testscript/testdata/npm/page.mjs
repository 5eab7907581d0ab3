// Looks at a page in a browser at desktop and phone width: node page.mjs MODULES BROWSER PAGE SHOT.
// Prints what axe finds that is serious or critical, and what is wider than the window.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [modules, browserPath, page, shot] = process.argv.slice(2)
const require = createRequire(pathToFileURL(modules + '/'))
const { chromium } = require('playwright-core')
const axe = readFileSync(require.resolve('axe-core'), 'utf8')

const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
let bad = 0
for (const [name, width, height] of [['desktop', 1280, 800], ['phone', 390, 844]]) {
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, bypassCSP: true })
    const tab = await context.newPage()
    tab.on('pageerror', e => { bad++; console.log(`${name}: ${e}`) })
    await tab.goto(pathToFileURL(page).href)
    await tab.evaluate(() => { for (const d of [...document.querySelectorAll('details')].slice(0, 200)) d.open = true })
    const wide = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (wide > 0) { bad++; console.log(`${name}, ${colorScheme}: the page is ${wide} pixels wider than the window`) }
    await tab.evaluate(axe)
    const result = await tab.evaluate(() => axe.run())
    for (const v of result.violations) {
      if (v.impact === 'serious' || v.impact === 'critical') {
        bad++
        console.log(`${name}, ${colorScheme}: ${v.impact} ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(' | ')}`)
      }
    }
    if (shot) await tab.screenshot({ path: `${shot}-${name}-${colorScheme}.png` })
    await context.close()
  }
}
await browser.close()
process.exit(bad ? 1 : 0)
