/** The server-rendered parts of a product page, each under the name by which the page places it. */
import type { ReactNode } from 'react'
import { ProductPictures } from './product-drawing.tsx'
import { OtherSizes, ProductOnVehicle, ProductQuestions } from './product-knowledge.tsx'
import type { KnowledgeView } from './product-knowledge.server.ts'
import { ProductNumbers } from './product-numbers.tsx'
import { ProductPromises } from './product-promises.tsx'
import { ProductReviews } from './product-reviews.tsx'
import { ProductSizes } from './product-sizes.tsx'
import type { DrawnView } from './product-view.ts'

export function productParts(view: DrawnView, knowledge: KnowledgeView): Record<string, ReactNode> {
  return {
    pictures: <ProductPictures pictures={view.pictures} parts={view.sizeKey} />,
    sizes: <ProductSizes sizes={view.sizes} />,
    promises: <ProductPromises promises={view.promises} />,
    numbers: <ProductNumbers specs={view.specs} about={view.about} />,
    questions: <ProductQuestions questions={knowledge.questions} />,
    onVehicle: <ProductOnVehicle fewer={knowledge.fewer} checked={knowledge.checked} />,
    otherSizes: <OtherSizes others={knowledge.others} />,
    reviews: <ProductReviews reviews={view.reviews} score={view.score} store={view.store} />,
  }
}
