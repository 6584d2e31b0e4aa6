import type { Route } from './+types/home.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Tires, installed near you · Sidewall' }]

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

export default function Home() {
  return (
    <div className="wrap">
      <h1 className="capitals">Pick a tire. Pick a time.</h1>
    </div>
  )
}
