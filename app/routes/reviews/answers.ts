import { redirect } from 'react-router'

/** 301 to the one address of a page, with what was asked of it. */
export function movedTo(path: string, url: URL): Response {
  return redirect(`${path}${url.search}`, 301)
}

export function notFound(): Response {
  return new Response(null, { status: 404 })
}
