import { describe, expect, test } from 'vitest'
import { checkImages, mainImageOf, publicImageOf } from './images.ts'

const at = (media_location: string) => [{ media_location }]
const MAIN = 'main_product_image_locator'
const main = (location: string) => ({ [MAIN]: at(location) })

describe('checkImages', () => {
  test.each([
    'https://images.example/1.jpg',
    'http://images.example/1.JPEG',
    'https://images.example/a/b.png?size=large#top',
    's3://bucket/1.tif',
    'https://images.example/1.webp',
  ])('accepts %s', (location) => {
    expect(checkImages(main(location))).toEqual([])
  })

  test.each([
    ['', 'URL'],
    ['images/1.jpg', 'URL'],
    ['ftp://images.example/1.jpg', 'http, https'],
    ['javascript:alert(1)//1.jpg', 'http, https'],
    ['https://images.example/', 'JPEG, PNG, GIF, TIFF'],
    ['https://images.example/1.svg', 'JPEG, PNG, GIF, TIFF'],
    ['https://images.example/1.exe?x=.jpg', 'JPEG, PNG, GIF, TIFF'],
  ])('reports that "%s" is invalid and not a main image', (location, limit) => {
    expect(checkImages(main(location))).toEqual([
      { kind: 'badImage', attribute: MAIN, limit },
      { kind: 'noMainImage', attribute: MAIN },
    ])
  })

  test('reports a missing main image', () => {
    expect(checkImages({})).toEqual([{ kind: 'noMainImage', attribute: MAIN }])
    expect(checkImages({ other_product_image_locator_1: at('https://images.example/1.jpg') })).toHaveLength(1)
  })

  test('reports each image attribute once', () => {
    const attributes = {
      ...main('https://images.example/1.jpg'),
      other_product_image_locator_2: [...at('nowhere'), ...at('nowhere')],
      swatch_product_image_locator: at('nowhere'),
      item_name: at('nowhere'),
    }
    expect(checkImages(attributes).map(({ attribute }) => attribute)).toEqual([
      'other_product_image_locator_2',
      'swatch_product_image_locator',
    ])
  })
})

test('the main image is the one of the first entry', () => {
  expect(mainImageOf({ [MAIN]: [...at('a'), ...at('b')] })).toBe('a')
  expect(mainImageOf({})).toBeUndefined()
})

test('publicImageOf returns only valid public URLs', () => {
  expect(publicImageOf(main('https://images.example/a b.jpg'))).toBe('https://images.example/a%20b.jpg')
  for (const location of ['s3://bucket/1.jpg', 'nowhere', 'https://images.example/1.svg']) {
    expect(publicImageOf(main(location)), location).toBeUndefined()
  }
  expect(publicImageOf({})).toBeUndefined()
})
