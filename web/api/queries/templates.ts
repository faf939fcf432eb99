import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../client.ts'

export const templatesQuery = queryOptions({
  queryKey: ['templates', 'list'],
  queryFn: ({ signal }) => data(api.GET('/api/templates', { signal })),
  select: ({ templates }) => templates,
})

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ['templates', 'one', id],
    queryFn: ({ signal }) => data(api.GET('/api/templates/{id}', { params: { path: { id } }, signal })),
  })
