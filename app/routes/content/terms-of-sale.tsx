import { readContent } from '#app/http/content.server.ts'
import type { Route } from './+types/terms-of-sale.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: `${loaderData?.title ?? 'Terms'} · Sidewall` }, { name: 'description', content: loaderData?.description }]

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export function loader() {
  return readContent('policies/terms-of-sale')
}

export default function TermsOfSale({ loaderData }: Route.ComponentProps) {
  return (
    <article className="wrap prose">
      <h1>{loaderData.title}</h1>
      <div dangerouslySetInnerHTML={{ __html: loaderData.html }} />
    </article>
  )
}
