/** A partner's page with the store's widget. Its own styles are hostile on purpose. */
import { Hono } from 'hono'
import { html } from 'hono/html'

/** The key of the demo's partner, and the shop it sends its readers to. */
const demo = { key: 'wk_LakeshoreCyclingDemo', shop: 'SW-00001' }

const css = `* { all: unset !important }
head, style, script, title, meta, link { display: none !important }
html, body, main, p, h1, h2 { display: block !important }
body { max-width: 60rem !important; margin: 0 auto !important; padding: 1rem !important; font: 1.05rem/1.6 Georgia, serif !important; color: #1d2b2a !important }
h1 { font-size: 1.6rem !important; line-height: 1.2 !important; margin-bottom: 0.6rem !important }
h2 { font-size: 1.2rem !important; margin-top: 2rem !important }
p { margin-bottom: 1rem !important }
a { text-decoration: underline !important }
div { display: none !important }
`

/** Routes of the sample page. Its policy allows only the store's script and requests to the store. */
export function createPartnerPage(storeOrigin: string): Hono {
  const app = new Hono()
  app.get('/partner.css', (c) => c.body(css, 200, { 'content-type': 'text/css; charset=utf-8' }))
  app.get('/', async (c) => {
    // As docs/widget.md documents it, without styles, frames, or images of the store.
    c.header(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'self'; script-src ${storeOrigin}; connect-src ${storeOrigin}; base-uri 'none'; frame-ancestors 'none'`,
    )
    return c.html(
      html`<!doctype html>
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <title>Lakeshore Cycling Club</title>
            <link rel="stylesheet" href="/partner/partner.css" />
          </head>
          <body>
            <main>
              <h1>Winter is a month away. How are your tires?</h1>
              <p>
                Put a quarter into the tread, Washington’s head first. If you can see the top of his head, wet roads get
                long. Our members use Halsted Tire, and you can book a bay right here.
              </p>
              <sidewall-tires
                key="${demo.key}"
                shop="${demo.shop}"
                start="size"
                size="225/65R17"
                source="winter"
                name="Halsted Tire"
                phone="(312) 555-0117"
              >
                <a href="${storeOrigin}/?channel=widget&widgetId=${demo.key}&installerId=${demo.shop}">
                  Find tires and book their installation
                </a>
              </sidewall-tires>
              <h2>The same in other colors</h2>
              <sidewall-tires
                key="${demo.key}"
                shop="${demo.shop}"
                start="vehicle"
                background="#1f242d"
                accent="#ff8a3d"
              >
                <a href="${storeOrigin}/?channel=widget&widgetId=${demo.key}">Find tires</a>
              </sidewall-tires>
            </main>
            <script src="${storeOrigin}/widget.js" defer></script>
          </body>
        </html>`,
    )
  })
  return app
}
