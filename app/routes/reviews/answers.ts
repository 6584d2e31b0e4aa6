import { redirect } from 'react-router'

/** Redirects with 301 to the canonical address of a page, keeping the query. */
export function movedTo(path: string, url: URL): Response {
  return redirect(`${path}${url.search}`, 301)
}

export function notFound(): Response {
  return new Response(null, { status: 404 })
}
