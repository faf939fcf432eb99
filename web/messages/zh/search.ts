import type { search as en } from '../en/search.ts'

export const search: typeof en = {
  title: '搜索记录',
  about: '在您的所有域名中搜索名称、值、地址，或 192.0.2.0/24 这样的网段。',
  box: '名称、值、地址或网段',
  start: '输入名称或值的一部分、完整地址，或网段。',
  none: '没有匹配的记录。',
  found: (count) => `找到 ${count} 条记录`,
  incomplete: '匹配的记录超过 1,000 条，仅显示其中一部分。请细化搜索条件。',
  open: '在域名中打开',
  chosen: (count) => `已选 ${count} 条记录`,
  chooseDomain: (name) => `选择 ${name} 的全部记录`,
  replace: '替换值…',
  form: {
    title: '跨域名替换值',
    about: (domains) => `修改 ${domains} 个域名中具有此值的记录。应用前可逐条检查。`,
    find: '值或网段',
    onlyChosen: (records) => `仅限所选的 ${records} 条记录`,
    findHelp:
      '按完整值匹配。填网段（192.0.2.0/24）则替换其中所有地址，包括 SPF 和 HTTPS 记录中的地址。留空可为任意值的记录设置 TTL。',
    type: '记录类型',
    any: '任意类型',
    value: '替换为',
    valueHelp: '新的值。若为网段：单个地址，或同样大小的网段。',
    ttl: '新的 TTL',
    ttlHelp: '例如 300、5m 或 1h。留空则保持当前 TTL。',
    ttlWrong: '不是有效的时间，例如 300、5m 或 1h。',
    plan: '预览变更',
  },
  planTitle: '替换计划',
}
