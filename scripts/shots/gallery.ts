export interface Picture {
  file: string
  view: string
  /** Empty: the view as it opens. */
  state: string
  language: string
  size: 'wide' | 'narrow'
  scheme: 'light' | 'dark'
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** One page with all pictures, by view and state; a click shows one in full size. */
export function galleryOf(pictures: readonly Picture[]): string {
  const views = Object.entries(Object.groupBy(pictures, ({ view }) => view))
  const sections = views.map(([view, some = []]) => {
    const states = Object.entries(Object.groupBy(some, ({ state }) => state))
    return `<section id="${escape(view)}"><h2>${escape(view)}</h2>${states.map(([state, all = []]) => stateOf(state, all)).join('')}</section>`
  })
  const links = views.map(([view]) => `<a href="#${escape(view)}">${escape(view)}</a>`).join(' ')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Zonekeeper: the console in pictures</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem; background: #888; color: #000 }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1rem; background: #fff; padding: 1rem }
h2 { margin: 2rem 0 .5rem; font-family: monospace } h3 { margin: 1rem 0 .5rem }
div { display: flex; flex-wrap: wrap; gap: .75rem; align-items: flex-start }
figure { margin: 0; background: #fff; padding: .3rem } figcaption { font-size: 12px }
img { display: block; height: auto } .wide { width: 30rem } .narrow { width: 11rem }
</style><h1>The console in pictures</h1><nav>${links}</nav>${sections.join('')}</html>
`
}

const stateOf = (state: string, pictures: readonly Picture[]) =>
  `<h3>${escape(state || 'initial state')}</h3><div>${pictures
    .map(({ file, language, size, scheme }) => {
      const words = `${language}, ${size}, ${scheme}`
      return `<figure><a href="${file}"><img class="${size}" loading="lazy" src="${file}" alt="${words}"></a><figcaption>${words}</figcaption></figure>`
    })
    .join('')}</div>`
