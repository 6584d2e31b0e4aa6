import type { Config } from '#platform/config.ts'

/** The page that needs nothing else to work: shown when rendering itself failed, or before it was reached. */
export function plainErrorPage(config: Config, status: 400 | 403 | 405 | 413 | 500 | 503): string {
  const text = {
    400: { title: 'That address does not read', line: 'Oops, something went wrong! Please try again.' },
    403: { title: 'That came from somewhere else', line: 'Oops, something went wrong! Please try again.' },
    405: { title: 'That is not how this page works', line: 'Oops, something went wrong! Please try again.' },
    413: { title: 'That was too much at once', line: 'What you sent is larger than the store takes. Go back, shorten it and send it again.' },
    500: { title: 'Something broke on our side', line: 'We&#39;re experiencing a technical problem. Please try again.' },
    503: { title: 'One moment', line: 'We&#39;re experiencing a technical problem. Please try again.' },
  }[status]
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${text.title} · ${escapeHtml(config.store.name)}</title></head><body><main><h1>${text.title}</h1><p>${text.line}</p><p>Please call ${escapeHtml(config.store.phone)} for sales or try to refresh this page.</p><p><a href="/">Go to the first page</a></p></main></body></html>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
