/** Drawn in 240 by 120. */
export const cover = (
  <path d="M52 96 36 34l44-12 16 62zM98 92V24h46v68zM146 90l16-62 44 12-16 62zM110 46h22M121 36v20" />
);
