import type { search as en } from '../en/search.ts'

export const search: typeof en = {
  title: '搜索记录',
  about: '在您可见的所有域名中搜索：名称、值、地址，或 192.0.2.0/24 这样的网段。',
  box: '名称、值、地址或网段',
  start: '输入要查找的内容：名称或值的一部分、完整地址，或网段。',
  none: '没有匹配的记录。',
  found: (count) => `找到 ${count} 条记录`,
  incomplete: '匹配的记录超过 1,000 条，这里只是其中一部分。请输入更多内容以缩小范围。',
  open: '在域名中打开',
  chosen: (count) => `已选 ${count} 条记录`,
  chooseDomain: (name) => `选择此处 ${name} 的全部`,
  replace: '替换值…',
  form: {
    title: '在多个域名中替换值',
    about: (domains) => `在 ${domains} 个域名中，具有此值的记录会被修改。执行前会逐条显示。`,
    find: '值或网段',
    onlyChosen: (records) => `仅限所选的 ${records} 条记录`,
    findHelp:
      '按完整值匹配。填网段（192.0.2.0/24）则替换其中所有地址，包括 SPF 和 HTTPS 记录中的地址。留空可为任意值的记录设置 TTL。',
    type: '仅限类型',
    any: '任意类型',
    value: '替换为',
    valueHelp: '新的值。若为网段：单个地址，或同样大小的网段。',
    ttl: '新的 TTL',
    ttlHelp: '例如 300、5m 或 1h。留空则不变。',
    ttlWrong: '不是有效的时间：请写 300、5m 或 1h。',
    plan: '显示将要做的修改',
  },
  planTitle: '替换将做的修改',
}
