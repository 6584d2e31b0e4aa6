import { technicalMessages } from '#content/messages/technical.ts'
import type { Config } from '#platform/config.ts'

/**
 * A page without dependencies, for failures during or before rendering. Its styles are inline because even the style
 * sheet's URL may be unavailable. `line` replaces the page's error text; `requestId` identifies the request in the log.
 */
export function plainErrorPage(
  config: Config,
  status: 400 | 403 | 404 | 405 | 413 | 414 | 431 | 500 | 503,
  { line, requestId }: { line?: string; requestId?: string } = {},
): string {
  const text = {
    400: { title: 'We cannot read that address', line: technicalMessages.tryAgain },
    403: { title: 'That came from another site', line: technicalMessages.tryAgain },
    404: { title: 'Page not found', line: technicalMessages.missing },
    405: { title: 'That is not how this page works', line: technicalMessages.tryAgain },
    413: {
      title: 'Too many requests',
      line: 'What you sent is larger than the store takes. Go back, shorten it and send it again.',
    },
    414: {
      title: 'That address is too long',
      line: 'Check the link, or start from the home page.',
    },
    431: {
      title: 'Your browser sent too much data',
      line: 'Clear the cookies of this site in your browser, then try again.',
    },
    500: { title: 'Something broke on our side', line: technicalMessages.fault },
    503: { title: 'One moment', line: technicalMessages.fault },
  }[status]
  const name = escapeHtml(config.store.name)
  const reference = requestId === undefined ? '' : `<p style="${looks.quiet}">Reference: ${escapeHtml(requestId)}</p>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${text.title} · ${name}</title></head><body style="${looks.body}"><header style="${looks.header}"><a href="/" style="${looks.logo}">${name}</a></header><main style="${looks.main}"><p style="${looks.quiet}">${status}</p><h1 style="${looks.heading}">${text.title}</h1><p>${escapeHtml(line ?? text.line)}</p><p style="${looks.quiet}">Please call ${escapeHtml(config.store.phone)} for sales or try to refresh this page.</p>${reference}<p><a href="/" style="${looks.button}">Go to the home page</a></p></main></body></html>`
}

const looks = {
  body: 'margin:0;background:#FAF8F4;color:#14161A;font:16px/1.5 Inter,-apple-system,Segoe UI,Roboto,sans-serif',
  header: 'padding:20px 24px;border-bottom:1px solid #E4DFD6',
  logo: 'color:inherit;font-weight:800;font-size:22px;text-decoration:none;text-transform:uppercase;border-bottom:3px dashed #FFB400',
  main: 'max-width:560px;margin:0 auto;padding:48px 24px',
  heading: 'font-size:28px;line-height:1.15;margin:8px 0 16px',
  quiet: 'color:#5B616E;margin:8px 0',
  button:
    'display:inline-block;margin-top:12px;padding:12px 18px;border-radius:6px;background:#FFB400;color:#14161A;font-weight:600;text-decoration:none',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
