import"./chunk-WOT6VMZA.js";var d={},e={},o={texts:d,words:e};export{o as default,d as texts,e as words};
