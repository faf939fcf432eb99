import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'

export const templatesQuery = queryOptions({
  queryKey: ['templates', 'list'],
  queryFn: ({ signal }) => api.GET('/api/templates', { signal }),
  select: ({ templates }) => templates,
})

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ['templates', 'one', id],
    queryFn: ({ signal }) => api.GET('/api/templates/{id}', { path: { id }, signal }),
  })
