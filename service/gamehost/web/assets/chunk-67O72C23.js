function n(o,r){return o[r]??`#${r+1}`}export{n as a};
