/**
 * React Router in the browser. vite.config.ts resolves imports of react-router to this module there, so that a page
 * that uses React Router's forms, fetchers, or nested pages has the complete router.
 */
import {
  Links,
  Outlet,
  Scripts,
  useActionData,
  useLoaderData,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
  useParams,
  useRouteError,
  useRouteLoaderData,
} from 'react-router'
import { HydratedRouter } from 'react-router/dom'
import { chooseRouter } from '#app/router/router.tsx'

chooseRouter({
  Links,
  Outlet,
  Router: HydratedRouter,
  Scripts,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
  useRouteError,
  useRouteLoaderData,
  usePageProps: () => ({
    params: useParams(),
    loaderData: useLoaderData(),
    actionData: useActionData(),
    matches: useMatches(),
  }),
})

export * from 'react-router'
