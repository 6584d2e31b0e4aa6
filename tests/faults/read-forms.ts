/** A page's forms and links as a browser without script sees them. */

export type FoundForm = { method: 'GET' | 'POST'; path: string; fields: [name: string, value: string][] }

export function readForms(html: string, pagePath: string): FoundForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, tag = '', inside = '']) => ({
    method: attribute(tag, 'method')?.toUpperCase() === 'POST' ? 'POST' : 'GET',
    path: attribute(tag, 'action') || pagePath,
    fields: [...inside.matchAll(/<(input|button|textarea|select)\b([^>]*)>(?:([\s\S]*?)<\/\1>)?/g)].flatMap(
      ([, kind, control = '', content = '']): [string, string][] => {
        const name = attribute(control, 'name')
        if (!name) return []
        return [
          [
            name,
            (kind === 'select'
              ? attribute(/<option\b[^>]*>/.exec(content)?.[0] ?? '', 'value')
              : attribute(control, 'value')) ?? '',
          ],
        ]
      },
    ),
  }))
}

export function readLinks(html: string): string[] {
  return [...html.matchAll(/<a\b([^>]*)>/g)].flatMap(
    ([, tag = '']) => attribute(tag, 'href')?.match(/^\/(?!\/).*/)?.[0] ?? [],
  )
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(tag)?.[1]
  return value
    ?.replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
}
